// Runs before first paint so that a stored dark theme never flashes light. A file, not an inline script, for the CSP.
;(function () {
  var mode = 'light'
  try {
    if (localStorage.getItem('theme') === 'dark') mode = 'dark'
  } catch {
    // Storage may be blocked; light is the default then.
  }
  document.documentElement.dataset.theme = mode
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').setAttribute('content', '#0e1213')
})()
