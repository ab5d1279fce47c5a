/** What a part of a form says of itself. */
export interface PartHead {
  name: string
  /** Undefined for a text; empty where a browser sends a field for a file without one. */
  filename: string | undefined
}

/** Takes the bytes of a part: views of the chunks that came, never copies. */
export interface PartSink {
  write(bytes: Buffer): void
  end(): void
}

/** The body breaks the rules of a form, or ends before it is over. */
export class MalformedForm extends Error {}

const maxHeadBytes = 16 * 1024
/** After a delimiter nothing but blanks may stand in its line. */
const maxLineBytes = 128
const empty = Buffer.alloc(0)
const lineEnd = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')
const carriageReturn = 13

/** The delimiter that a multipart/form-data content type names; undefined where it is none, or names none. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, parameters] = /^multipart\/form-data\s*(;.*)$/i.exec(contentType ?? '') ?? []
  return parametersOf(parameters ?? '').get('boundary') || undefined
}

/**
 * Divides a multipart/form-data body (RFC 7578, RFC 2046 section 5.1) into its parts, as its chunks come. What stands
 * before the first delimiter and after the last is passed over.
 */
export class MultipartParser {
  readonly #delimiter: Buffer
  readonly #begin: (head: PartHead) => PartSink
  #state: 'body' | 'line' | 'head' | 'over' = 'body'
  #sink: PartSink = { write: () => undefined, end: () => undefined }
  /** The end of the last chunk, where it may be the beginning of something; a delimiter may begin the body without a line before it. */
  #held = lineEnd
  #hasCome = false

  /** `begin` is told of each part, and answers what takes its bytes. */
  constructor(boundary: string, begin: (head: PartHead) => PartSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
    this.#begin = begin
  }

  /** Throws MalformedForm, and what a sink throws. */
  push(chunk: Buffer): void {
    this.#hasCome = true
    let rest = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    this.#held = empty
    while (rest.length > 0) {
      const taken = this.#take(rest)
      if (taken === undefined) break
      rest = rest.subarray(taken)
    }
    // a copy, for a view would keep the whole chunk
    if (rest.length > 0) this.#held = Buffer.from(rest)
  }

  /** The body has ended. Throws MalformedForm unless its last delimiter has come; nothing at all is a form without parts. */
  end(): void {
    if (this.#hasCome && this.#state !== 'over') throw new MalformedForm('The form ends in the middle')
  }

  /** Answers how many bytes are done with; undefined when more must come first. */
  #take(bytes: Buffer): number | undefined {
    if (this.#state === 'body') return this.#takeBody(bytes)
    if (this.#state === 'line') return this.#takeLine(bytes)
    if (this.#state === 'head') return this.#takeHead(bytes)
    return bytes.length
  }

  #takeBody(bytes: Buffer): number | undefined {
    const end = bytes.indexOf(this.#delimiter)
    if (end < 0) {
      const certain = bytes.length - this.#mayBegin(bytes)
      if (certain === 0) return undefined
      this.#sink.write(bytes.subarray(0, certain))
      return certain
    }
    if (end > 0) this.#sink.write(bytes.subarray(0, end))
    this.#sink.end()
    this.#state = 'line'
    return end + this.#delimiter.length
  }

  /** How many bytes at the end may be the beginning of a delimiter. */
  #mayBegin(bytes: Buffer): number {
    const from = Math.max(0, bytes.length - this.#delimiter.length + 1)
    for (let at = bytes.indexOf(carriageReturn, from); at >= 0; at = bytes.indexOf(carriageReturn, at + 1)) {
      const length = bytes.length - at
      if (bytes.compare(this.#delimiter, 0, length, at) === 0) return length
    }
    return 0
  }

  #takeLine(bytes: Buffer): number | undefined {
    if (bytes.length < 2) return undefined
    if (bytes.toString('latin1', 0, 2) === '--') {
      this.#state = 'over'
      return bytes.length
    }
    const end = bytes.indexOf(lineEnd)
    if (end < 0 && bytes.length < maxLineBytes) return undefined
    if (end < 0 || bytes.toString('latin1', 0, end).trim() !== '')
      throw new MalformedForm('There is something behind a delimiter')
    this.#state = 'head'
    // with the end of the line, so that a head without a line ends like any other
    return end
  }

  #takeHead(bytes: Buffer): number | undefined {
    const end = bytes.indexOf(headEnd)
    if (end < 0 ? bytes.length > maxHeadBytes : end > maxHeadBytes)
      throw new MalformedForm('The head of a part is too long')
    if (end < 0) return undefined
    this.#sink = this.#begin(parseHead(bytes.toString('utf8', 0, end)))
    this.#state = 'body'
    return end + headEnd.length
  }
}

function parseHead(text: string): PartHead {
  const [, disposition] = /\r\ncontent-disposition[ \t]*:[ \t]*form-data[ \t]*(;[^]*)/i.exec(text) ?? []
  const parameters = parametersOf(disposition ?? '')
  const name = parameters.get('name')
  if (name === undefined) throw new MalformedForm('A part has no name')
  const path = parameters.get('filename') ?? parameters.get('filename*')
  const isFile = path !== undefined || /\r\ncontent-type[ \t]*:[ \t]*application\/octet-stream/i.test(text)
  // some send the whole path
  return { name, filename: isFile ? (path ?? '').replace(/^.*[/\\]/s, '') : undefined }
}

/** Parameters such as `; name="a"; filename=b`, up to the end of the header; of two with one name the first counts. */
function parametersOf(text: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', escaped, unescaped, plain = ''] of text.matchAll(parameterPattern)) {
    const value = escaped?.replaceAll(/\\(["\\])/g, '$1') ?? unescaped ?? plain.trim()
    if (name !== '' && !parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
  }
  return parameters
}

/**
 * Each parameter begins where the one before ends. A quoted value ends at a quote that ends the parameter: browsers
 * escape neither a backslash nor line separators in a file name, and some programs not even quotes
 * (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data).
 */
const parameterPattern =
  /;\s*(?:([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"(?=[ \t]*(?:;|\r\n|$))|"([^]*?)"(?=[ \t]*(?:;|\r\n|$))|([^;"\r\n]*)))?[ \t]*/gy
