/**
 * What RFC 8216 asks of the playlists that are served here: fMP4 segments on demand, one multivariant playlist. Each
 * check answers what is wrong, in words; nothing where all is right.
 */

const attributePattern = /([A-Z0-9-]+)=("[^"\r\n]*"|[^",\s]+)(?:,|$)/gy

/** The attributes of a tag; a repeated name or text between them makes it undefined. */
function readAttributes(list: string): Map<string, string> | undefined {
  const attributes = new Map<string, string>()
  let end = 0
  for (const match of list.matchAll(attributePattern)) {
    const [text, name = '', value = ''] = match
    if (attributes.has(name)) return undefined
    attributes.set(name, value)
    end = match.index + text.length
  }
  return end === list.length && !list.endsWith(',') ? attributes : undefined
}

export interface Variant {
  uri: string
  bandwidth: number
  codecs: string[]
  width: number
  height: number
  frameRate: number
}

export interface Rendition {
  uri: string
  channels: number
}

const masterTags = /^#EXT(M3U|-X-(VERSION:\d+|INDEPENDENT-SEGMENTS|MEDIA:.+|STREAM-INF:.+))$/
const mediaTags =
  /^#EXT(M3U|-X-(VERSION:\d+|TARGETDURATION:\d+|MEDIA-SEQUENCE:\d+|PLAYLIST-TYPE:VOD|INDEPENDENT-SEGMENTS|MAP:.+|ENDLIST)|INF:\d+(\.\d+)?,.*)$/

/** Reads a multivariant playlist and judges it. */
export function checkMaster(text: string): {
  problems: string[]
  variants: Variant[]
  renditions: Rendition[]
} {
  const lines = text.split('\n').filter((line) => line !== '')
  const problems = commonProblems(text, lines, masterTags)
  const variants: Variant[] = []
  const renditions: Rendition[] = []
  const groups = new Map<string, { names: Set<string>; defaults: number }>()
  for (const [at, line] of lines.entries()) {
    const media = /^#EXT-X-MEDIA:(.+)$/.exec(line)?.[1]
    const variant = /^#EXT-X-STREAM-INF:(.+)$/.exec(line)?.[1]
    if (media === undefined && variant === undefined) continue
    const attributes = readAttributes(media ?? variant ?? '')
    if (!attributes) {
      problems.push(`attributes cannot be read: ${line}`)
      continue
    }
    if (media !== undefined) {
      const group = groups.get(attributes.get('GROUP-ID') ?? '') ?? { names: new Set(), defaults: 0 }
      groups.set(attributes.get('GROUP-ID') ?? '', group)
      problems.push(...renditionProblems(attributes, group))
      renditions.push({
        uri: unquote(attributes.get('URI')),
        channels: Number(unquote(attributes.get('CHANNELS'))),
      })
    } else {
      const uri = lines[at + 1] ?? '#'
      if (uri.startsWith('#')) problems.push(`no address after ${line}`)
      problems.push(...variantProblems(attributes, groups))
      const [width = 0, height = 0] = (attributes.get('RESOLUTION') ?? '').split('x').map(Number)
      variants.push({
        uri,
        width,
        height,
        bandwidth: Number(attributes.get('BANDWIDTH')),
        codecs: unquote(attributes.get('CODECS')).split(','),
        frameRate: Number(attributes.get('FRAME-RATE')),
      })
    }
  }
  if (variants.length === 0) problems.push('no variant')
  return { problems, variants, renditions }
}

function renditionProblems(
  attributes: Map<string, string>,
  group: { names: Set<string>; defaults: number },
): string[] {
  const problems: string[] = []
  for (const name of ['GROUP-ID', 'NAME', 'URI', 'CHANNELS']) {
    if (!/^".+"$/.test(attributes.get(name) ?? '')) problems.push(`${name} is missing or no quoted text`)
  }
  if (attributes.get('TYPE') !== 'AUDIO') problems.push('TYPE is not AUDIO')
  const name = attributes.get('NAME') ?? ''
  if (group.names.has(name)) problems.push(`two renditions of one group are called ${name}`)
  group.names.add(name)
  if (attributes.get('DEFAULT') === 'YES') group.defaults += 1
  if (group.defaults > 1) problems.push('more than one default')
  if (attributes.get('DEFAULT') === 'YES' && attributes.get('AUTOSELECT') !== 'YES')
    problems.push('a default that is not selected')
  const language = attributes.get('LANGUAGE')
  // RFC 5646 asks for the shortest code: `de`, never `deu`.
  if (language !== undefined && Intl.getCanonicalLocales(unquote(language))[0] !== unquote(language))
    problems.push(`${language} is no canonical language tag`)
  return problems
}

function variantProblems(attributes: Map<string, string>, groups: Map<string, unknown>): string[] {
  const problems: string[] = []
  const demand = (name: string, pattern: RegExp) => {
    const value = attributes.get(name)
    if (value === undefined || !pattern.test(value)) problems.push(`${name}=${value}`)
  }
  demand('BANDWIDTH', /^[1-9]\d*$/)
  demand('CODECS', /^"[\w.]+(,[\w.]+)*"$/)
  demand('RESOLUTION', /^[1-9]\d*x[1-9]\d*$/)
  if (attributes.has('FRAME-RATE')) demand('FRAME-RATE', /^(?!0\.000)\d+\.\d{3}$/)
  demand('CLOSED-CAPTIONS', /^NONE$/)
  const group = attributes.get('AUDIO')
  if (group !== undefined && !groups.has(group)) problems.push(`there is no audio group ${group}`)
  if (group === undefined && groups.size > 0) problems.push('a variant without the sound')
  return problems
}

/** Reads a media playlist and judges it. Durations are seconds. */
export function checkMedia(text: string): {
  problems: string[]
  map: string
  segments: { uri: string; seconds: number }[]
  targetSeconds: number
} {
  const lines = text.split('\n').filter((line) => line !== '')
  const problems = commonProblems(text, lines, mediaTags)
  const once = (tag: string) => lines.filter((line) => line.startsWith(`#EXT-X-${tag}`)).length === 1
  for (const tag of ['VERSION', 'TARGETDURATION', 'MEDIA-SEQUENCE', 'PLAYLIST-TYPE', 'MAP', 'ENDLIST']) {
    if (!once(tag)) problems.push(`${tag} does not stand there once`)
  }
  const version = Number(/^#EXT-X-VERSION:(\d+)$/m.exec(text)?.[1])
  if (version < 6) problems.push(`version ${version} knows no EXT-X-MAP here`)
  const targetSeconds = Number(/^#EXT-X-TARGETDURATION:(\d+)$/m.exec(text)?.[1])
  const segments: { uri: string; seconds: number }[] = []
  let seconds: number | undefined
  for (const line of lines) {
    const stated = /^#EXTINF:([\d.]+),/.exec(line)?.[1]
    if (stated !== undefined) seconds = Number(stated)
    if (line.startsWith('#')) continue
    if (seconds === undefined) problems.push(`${line} has no duration`)
    else if (!(seconds > 0)) problems.push(`${line} lasts ${seconds} s`)
    else if (Math.round(seconds) > targetSeconds)
      problems.push(`${line} is longer than the target of ${targetSeconds} s`)
    segments.push({ uri: line, seconds: seconds ?? 0 })
    seconds = undefined
  }
  if (segments.length === 0) problems.push('no segment')
  if (new Set(segments.map((segment) => segment.uri)).size !== segments.length)
    problems.push('two segments of one name')
  const firstSegment = lines.findIndex((line) => line.startsWith('#EXTINF'))
  for (const tag of ['#EXT-X-MAP', '#EXT-X-MEDIA-SEQUENCE', '#EXT-X-TARGETDURATION']) {
    if (lines.findIndex((line) => line.startsWith(tag)) > firstSegment)
      problems.push(`${tag} comes after the first segment`)
  }
  if (lines.at(-1) !== '#EXT-X-ENDLIST') problems.push('does not end with ENDLIST')
  const map = unquote(readAttributes(/^#EXT-X-MAP:(.+)$/m.exec(text)?.[1] ?? '')?.get('URI'))
  if (map === '') problems.push('the map has no address')
  return { problems, map, segments, targetSeconds }
}

function commonProblems(text: string, lines: string[], known: RegExp): string[] {
  const problems: string[] = []
  if (lines[0] !== '#EXTM3U') problems.push('does not begin with #EXTM3U')
  if (text.includes('\r') || text.charCodeAt(0) === 0xfeff) problems.push('line ends or byte order mark')
  for (const line of lines) {
    if (line.startsWith('#EXT') && !known.test(line)) problems.push(`not expected here: ${line}`)
  }
  return problems
}

function unquote(text: string | undefined): string {
  return (text ?? '').replaceAll('"', '')
}

/**
 * The peak segment bit rate of RFC 8216, section 4.1: the largest over any run of segments that lasts between half and
 * one and a half times the target duration, or over all of a film that is shorter.
 */
export function peakBitrate(
  segments: { sizeBytes: number; seconds: number }[],
  targetSeconds: number,
): number {
  const wholeSeconds = segments.reduce((sum, segment) => sum + segment.seconds, 0)
  const shortest = Math.min(targetSeconds * 0.5, wholeSeconds - 1e-6)
  let peak = 0
  for (let from = 0; from < segments.length; from++) {
    let [seconds, bits] = [0, 0]
    for (const segment of segments.slice(from)) {
      seconds += segment.seconds
      bits += segment.sizeBytes * 8
      if (seconds > targetSeconds * 1.5) break
      if (seconds >= shortest) peak = Math.max(peak, bits / seconds)
    }
  }
  return peak
}
