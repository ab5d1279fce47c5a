// Runs before the first paint, so that a stored dark theme does not flash light, nor theatre mode a small player. Then starts
// the application right after that paint. A file, not an inline script, for the CSP.
;(function () {
  var root = document.documentElement
  var mode = 'light'
  try {
    if (localStorage.getItem('theme') === 'dark') mode = 'dark'
    var player = JSON.parse(localStorage.getItem('kinora.player'))
    if (player && player.isTheatre === true) root.setAttribute('data-theatre', '')
  } catch {
    // Storage may be blocked or invalid; defaults apply.
  }
  root.dataset.theme = mode
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').setAttribute('content', '#0e1213')

  // The application keeps the main thread busy, so it starts after the first paint, and renders only once the HTML is on the
  // screen, including its image unless that takes long.
  var PICTURE_WAIT_MS = 150
  function begin() {
    var file = document.querySelector('link[data-begin]')
    // Some browsers paint before parsing this far.
    if (!file && document.readyState === 'loading') return addEventListener('DOMContentLoaded', begin)
    if (!file) return
    var script = document.createElement('script')
    script.type = 'module'
    script.crossOrigin = 'anonymous'
    script.src = file.href
    document.head.append(script)
  }
  /** Loads the least urgent resources after the visible ones. */
  function fetchLibraries() {
    document.querySelectorAll('link[rel="later-modulepreload"]').forEach(function (link) {
      link.rel = 'modulepreload'
    })
  }
  function isFirstPicture(entry) {
    var picture = document.querySelector('#root picture img')
    return !picture || entry.element === picture
  }
  window.firstScreenSeen = new Promise(function (resolve) {
    // A hidden page is never painted, so there is no paint to wait for.
    if (document.hidden) {
      addEventListener('DOMContentLoaded', begin)
      return resolve()
    }
    requestAnimationFrame(function () {
      setTimeout(begin)
      setTimeout(resolve, PICTURE_WAIT_MS)
      // Element timing reports the image when it is on the screen; not every browser supports it.
      if (PerformanceObserver.supportedEntryTypes.indexOf('largest-contentful-paint') < 0) {
        return requestAnimationFrame(function () {
          setTimeout(resolve)
        })
      }
      new PerformanceObserver(function (list) {
        if (list.getEntries().some(isFirstPicture)) resolve()
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
  })
  window.firstScreenSeen.then(fetchLibraries)
})()
