/** Headers of a part. */
export interface PartHead {
  name: string
  /** Undefined for a text; empty for a file field without a chosen file. */
  filename: string | undefined
}

/** Receives the bytes of a part as views of the chunks, without copying. */
export interface PartSink {
  write(bytes: Buffer): void
  end(): void
}

/** The body violates RFC 7578 or is incomplete. */
export class MalformedForm extends Error {}

const maxHeadBytes = 16 * 1024
/** A delimiter line may only contain trailing whitespace (RFC 2046, 5.1.1). */
const maxLineBytes = 128
const empty = Buffer.alloc(0)
const lineEnd = Buffer.from('\r\n')
const headEnd = Buffer.from('\r\n\r\n')
const carriageReturn = 13

/** Returns the boundary of a multipart/form-data content type; undefined without one. */
export function boundaryOf(contentType: string | undefined): string | undefined {
  const [, parameters] = /^multipart\/form-data\s*(;.*)$/i.exec(contentType ?? '') ?? []
  return parametersOf(parameters ?? '').get('boundary') || undefined
}

/** Parses a multipart/form-data body (RFC 7578; RFC 2046, 5.1) incrementally. Preamble and epilogue are ignored. */
export class MultipartParser {
  readonly #delimiter: Buffer
  readonly #begin: (head: PartHead) => PartSink
  #state: 'body' | 'line' | 'head' | 'over' = 'body'
  #sink: PartSink = { write: () => undefined, end: () => undefined }
  /** Unparsed end of the last chunk. Starts with a line end, because the first delimiter has none before it. */
  #pending = lineEnd
  #hasBytes = false

  /** `begin` is called for each part and returns its sink. */
  constructor(boundary: string, begin: (head: PartHead) => PartSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
    this.#begin = begin
  }

  /** Throws MalformedForm, and the errors of sinks. */
  push(chunk: Buffer): void {
    this.#hasBytes = true
    let rest = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    this.#pending = empty
    while (rest.length > 0) {
      const taken = this.#take(rest)
      if (taken === undefined) break
      rest = rest.subarray(taken)
    }
    // copied, because a view would keep the whole chunk in memory
    if (rest.length > 0) this.#pending = Buffer.from(rest)
  }

  /** Ends the body. Throws MalformedForm if the closing delimiter is missing; an empty body is a form without parts. */
  end(): void {
    if (this.#hasBytes && this.#state !== 'over') throw new MalformedForm('The closing delimiter is missing')
  }

  /** Returns how many bytes were consumed; undefined if more are needed first. */
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

  /** Returns how many bytes at the end may be the start of a delimiter. */
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
      throw new MalformedForm('A delimiter line has other content')
    this.#state = 'head'
    // the line end is kept, so that an empty header block also ends with two of them
    return end
  }

  #takeHead(bytes: Buffer): number | undefined {
    const end = bytes.indexOf(headEnd)
    if (end < 0 ? bytes.length > maxHeadBytes : end > maxHeadBytes)
      throw new MalformedForm('The headers of a part are too long')
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
  // some clients send the whole path
  return { name, filename: isFile ? (path ?? '').replace(/^.*[/\\]/s, '') : undefined }
}

/** Parses parameters such as `; name="a"; filename=b` up to the end of the header. The first of equal names counts. */
function parametersOf(text: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (const [, name = '', escaped, unescaped, plain = ''] of text.matchAll(parameterPattern)) {
    const value = escaped?.replaceAll(/\\(["\\])/g, '$1') ?? unescaped ?? plain.trim()
    if (name !== '' && !parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value)
  }
  return parameters
}

/**
 * A quoted value ends at a quote that is followed by `;` or the end of the line: browsers do not escape backslashes or
 * line separators in file names, and some clients do not escape quotes
 * (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data).
 */
const parameterPattern =
  /;\s*(?:([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"(?=[ \t]*(?:;|\r\n|$))|"([^]*?)"(?=[ \t]*(?:;|\r\n|$))|([^;"\r\n]*)))?[ \t]*/gy
