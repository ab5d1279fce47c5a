const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it may stand in HTML or XML, between tags and inside quoted attributes. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** A tag without content; attributes that are undefined are left out. */
export function tag(name: string, attributes: Record<string, string | undefined>): string {
  const given = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeMarkup(value)}"`],
  )
  return `<${name}${given.join('')}>`
}

/** A data block. No character in it can end the block, so it runs nothing and needs no place in script-src. */
export function jsonLd(data: object): string {
  const json = JSON.stringify(data).replaceAll(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `<script type="application/ld+json">${json}</script>`
}

/** The built page with its own title and description replaced by `head`. */
export function withHead(template: string, head: string): string {
  const bare = template
    .replace(/<meta\s+name="description"[^>]*>\s*/i, '')
    .replace(/<title>[^<]*<\/title>\s*/i, '')
  // a function, because $ in a replacement text has a meaning
  return bare.replace(/<script|<link|<\/head>/i, (found) => `${head}\n    ${found}`)
}

/**
 * The built page with styles behind its own, so that they have the last word, and a skeleton where its scripts will show.
 * The first picture takes the place that the skeleton has for it. Whether the film is upright is told to the style sheets at
 * the root, as the application does later.
 */
export function withSkeleton(
  template: string,
  styles: readonly string[],
  markup: string,
  picture: string,
  isUpright: boolean,
): string {
  const shown = markup.replace(/<img data-first-picture[^>]*>/, () => picture)
  return template
    .replace('<html', (start) => (isUpright ? `${start} data-upright` : start))
    .replace('</head>', (end) => [...styles, end].join('\n    '))
    .replace('<div id="root">', (start) => start + shown)
}

/** At most `max` characters of running text, cut between words. */
export function excerpt(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= max) return line
  const cut = line.slice(0, max - 1)
  const atWord = cut.lastIndexOf(' ')
  return `${(atWord > max / 2 ? cut.slice(0, atWord) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`
}
