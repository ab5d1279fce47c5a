// Runs before the first paint, so that a stored dark theme does not flash light, theatre mode a small player, or another
// language English and from left to right. A file, not an inline script, for the CSP.
;(function () {
  var root = document.documentElement
  var mode = 'light'
  try {
    var language = localStorage.getItem('language')
    if (/^[a-z]{2}(-[A-Z]{2})?$/.test(language)) {
      root.lang = language
      root.dir = language === 'ar' ? 'rtl' : 'ltr'
    }
    if (localStorage.getItem('theme') === 'dark') mode = 'dark'
    var player = JSON.parse(localStorage.getItem('kinora.player'))
    if (player && player.isTheatre === true) root.setAttribute('data-theatre', '')
  } catch {
    // Storage may be blocked or invalid; defaults apply.
  }
  root.dataset.theme = mode
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').setAttribute('content', '#0e1213')
})()
