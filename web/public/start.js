// Runs before the first paint, so that a stored dark theme does not flash light, theatre mode a small player, or another
// language English and from left to right. On slow lines the system's font is used: ours is as large as half a second of
// video. A file, not an inline script, for the CSP.
;(function () {
  var root = document.documentElement
  var mode = 'light'
  try {
    var language = localStorage.getItem('language') || preferredLanguage()
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
  var line = navigator.connection
  var font = document.currentScript.dataset.font
  if (line && (line.saveData || line.downlink < 1.25)) root.setAttribute('data-slow', '')
  else if (font) {
    var preload = document.createElement('link')
    Object.assign(preload, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href: font })
    document.head.append(preload)
  }
  root.dataset.theme = mode
  if (mode === 'dark') document.querySelector('meta[name="theme-color"]').setAttribute('content', '#0e1213')
  preloadMessages()

  // The first language of the browser that the interface has, if the site follows it.
  function preferredLanguage() {
    var known = (root.dataset.languages || '').split(' ')
    for (var wanted of navigator.languages) {
      var primary = wanted.split('-')[0]
      // The only Chinese is simplified: zh, zh-Hans and zh-SG, but neither zh-Hant nor zh-TW.
      if (primary === 'zh' && !/^zh(-Hans)?(-(CN|SG|MY))?$/.test(wanted)) continue
      var isSame = (tag) => tag === wanted
      var isSimilar = (tag) => tag !== '' && tag.split('-')[0] === primary
      var found = known.find(isSame) || known.find(isSimilar)
      if (found) return found
    }
    return ''
  }

  // The server does not know the language of the browser, but where the messages of each are.
  function preloadMessages() {
    var meta = document.querySelector('meta[name="kinora-messages"]')
    for (var href of (meta && JSON.parse(meta.content)[root.lang]) || []) {
      var link = document.createElement('link')
      link.rel = 'modulepreload'
      link.crossOrigin = 'anonymous'
      link.fetchPriority = 'low'
      link.href = href
      document.head.appendChild(link)
    }
  }
})()
