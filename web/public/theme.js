// Runs before first paint so that neither a stored dark theme flashes light nor the player of the theatre mode small. A
// file, not an inline script, for the CSP.
;(function () {
  var root = document.documentElement
  var mode = 'light'
  try {
    if (localStorage.getItem('theme') === 'dark') mode = 'dark'
    var player = JSON.parse(localStorage.getItem('kinora.player'))
    if (player && player.isTheatre === true) root.setAttribute('data-theatre', '')
  } catch {
    // Storage may be blocked or hold nonsense; the defaults hold then.
  }
  root.dataset.theme = mode
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').setAttribute('content', '#0e1213')
})()
