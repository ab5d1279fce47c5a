import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveEndReason } from '@kinora/contract/live/live-streams.ts'
import { StreamEnded } from '../refusals.ts'
import { type AmfValue, decodeAmf, encodeAmf } from './amf.ts'
import { ChunkReader, type Message, messageTypes, SENT_CHUNK_BYTES, writeMessage } from './chunks.ts'

/** One audio or video message of an encoder: the body of an FLV tag. */
export type MediaMessage = { kind: 'audio' | 'video'; timestamp: number; body: Buffer }

/** Receiver of a stream whose key was accepted. */
export interface Publication {
  /** Aborts when the stream has to end, with a `StreamEnded` as its reason. */
  signal: AbortSignal
  /** The connection reads nothing more until this resolves. */
  receive(message: MediaMessage): Promise<void>
  /** Called once, after the last message. */
  close(reason: LiveEndReason): Promise<void>
}

/** Check of a stream key. Rejects with `StreamEnded` for the reason of a refusal. */
export type Publish = (request: { key: string; address: string }) => Promise<Publication>

const VERSION = 3
const HANDSHAKE_BYTES = 1536
/** Time from the connection to an accepted key, and between messages after that. */
const PUBLISH_MS = 5000
const SILENCE_MS = 20_000
/** A stream key that nobody has: guesses are slow, however many connections make them. */
const REFUSAL_MS = 500
const WINDOW_BYTES = 2_500_000
/** Unsent answers of a peer that does not read. */
const MAX_UNSENT_BYTES = 256 * 1024
const limitsBefore = { messageBytes: 64 * 1024, totalBytes: 128 * 1024, chunkStreams: 16 }
const limitsAfter = { messageBytes: 4 * 1024 ** 2, totalBytes: 8 * 1024 ** 2, chunkStreams: 16 }
const MAX_COMMANDS = 64
/** Chunk streams of answers, as other servers use them. */
const CONTROL = 2
const COMMANDS = 3

/** Serves one connection of an encoder until it ends. Never rejects. Returns why it ended. */
export async function serveConnection(
  socket: Socket,
  address: string,
  publish: Publish,
): Promise<LiveEndReason> {
  const connection = new Connection(socket, address, publish)
  return connection.run()
}

class Connection {
  readonly #socket: Socket
  readonly #address: string
  readonly #publish: Publish
  readonly #chunks = new ChunkReader(limitsBefore)
  #publication: Publication | undefined
  #deadline: NodeJS.Timeout | undefined
  #received = 0
  #acknowledged = 0
  #window = WINDOW_BYTES
  #commands = 0
  #isConnected = false

  constructor(socket: Socket, address: string, publish: Publish) {
    this.#socket = socket
    this.#address = address
    this.#publish = publish
  }

  async run(): Promise<LiveEndReason> {
    this.#endAfter(PUBLISH_MS)
    let reason: LiveEndReason = 'lost'
    try {
      reason = await this.#read()
    } catch (error) {
      reason = toReason(error, this.#socket)
      await this.#refuse(error, reason)
    } finally {
      clearTimeout(this.#deadline)
      await this.#publication?.close(reason).catch(() => undefined)
      this.#socket.destroySoon()
      setTimeout(() => this.#socket.destroy(), 1000).unref()
    }
    return reason
  }

  async #read(): Promise<LiveEndReason> {
    const bytes = this.#bytes()
    const rest = await shakeHands(bytes, this.#socket)
    for (const message of this.#chunks.push(rest)) {
      const end = await this.#handle(message)
      if (end) return end
    }
    for await (const chunk of bytes) {
      for (const message of this.#chunks.push(chunk)) {
        const end = await this.#handle(message)
        if (end) return end
      }
      this.#acknowledge()
    }
    return 'lost'
  }

  /** The bytes of the socket. One that is not asked for more is paused. */
  async *#bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of this.#socket as AsyncIterable<Buffer>) {
      this.#received += chunk.length
      if (this.#socket.writableLength > MAX_UNSENT_BYTES) throw new StreamEnded('protocol')
      yield chunk
    }
  }

  async #handle(message: Message): Promise<LiveEndReason | undefined> {
    const { type, body } = message
    if (type === messageTypes.windowSize && body.length >= 4)
      this.#window = Math.max(65_536, body.readUInt32BE())
    if (type === messageTypes.userControl) this.#answerPing(body)
    if (type === messageTypes.command) return this.#command(decodeAmf(body))
    // AMF3 commands begin with a byte that says that AMF0 follows
    if (type === messageTypes.commandAmf3) return this.#command(decodeAmf(body.subarray(1)))
    const kind = type === messageTypes.audio ? 'audio' : type === messageTypes.video ? 'video' : undefined
    if (kind === undefined) return undefined
    if (!this.#publication) throw new StreamEnded('protocol')
    this.#publication.signal.throwIfAborted()
    this.#endAfter(SILENCE_MS)
    await this.#publication.receive({ kind, timestamp: message.timestamp, body })
    return undefined
  }

  async #command([name, transaction, , argument]: AmfValue[]): Promise<LiveEndReason | undefined> {
    if ((this.#commands += 1) > MAX_COMMANDS && !this.#publication) throw new StreamEnded('protocol')
    const id = typeof transaction === 'number' ? transaction : 0
    switch (name) {
      case 'connect':
        this.#isConnected = true
        this.#welcome(id)
        return undefined
      case 'createStream':
        this.#send(messageTypes.command, encodeAmf(['_result', id, null, 1]))
        return undefined
      case 'publish':
        await this.#begin(typeof argument === 'string' ? argument : '')
        return undefined
      case 'FCUnpublish':
      case 'deleteStream':
      case 'closeStream':
        return this.#publication ? 'stopped' : undefined
      default:
        return undefined
    }
  }

  #welcome(id: number): void {
    const size = (bytes: number) => {
      const body = Buffer.alloc(4)
      body.writeUInt32BE(bytes)
      return body
    }
    this.#send(messageTypes.windowSize, size(WINDOW_BYTES), CONTROL)
    this.#send(messageTypes.peerBandwidth, Buffer.concat([size(WINDOW_BYTES), Buffer.from([2])]), CONTROL)
    this.#send(messageTypes.setChunkSize, size(SENT_CHUNK_BYTES), CONTROL)
    const properties = { fmsVer: 'FMS/3,0,1,123', capabilities: 31 }
    const information = {
      level: 'status',
      code: 'NetConnection.Connect.Success',
      description: 'Connected.',
      objectEncoding: 0,
    }
    this.#send(messageTypes.command, encodeAmf(['_result', id, properties, information]))
  }

  async #begin(key: string): Promise<void> {
    if (!this.#isConnected || this.#publication) throw new StreamEnded('protocol')
    clearTimeout(this.#deadline)
    this.#publication = await this.#publish({
      // players and forwarding servers add parameters to the name of a stream
      key: key.split('?')[0] ?? '',
      address: this.#address,
    })
    // ends a connection that sends nothing, too
    const { signal } = this.#publication
    const stop = () => this.#socket.destroy(toError(signal.reason))
    signal.addEventListener('abort', () => void this.#refuse(signal.reason, 'failed').finally(stop), {
      once: true,
    })
    this.#chunks.limits = limitsAfter
    this.#endAfter(SILENCE_MS)
    this.#status('status', 'NetStream.Publish.Start', 'Publishing.')
  }

  #status(level: string, code: string, description: string): void {
    this.#send(
      messageTypes.command,
      encodeAmf(['onStatus', 0, null, { level, code, description }]),
      COMMANDS,
      1,
    )
  }

  /** Tells the encoder why, which shows it in its log. */
  async #refuse(error: unknown, reason: LiveEndReason): Promise<void> {
    if (reason === 'key_unknown') await sleep(REFUSAL_MS)
    if (!(error instanceof StreamEnded) || this.#socket.destroyed) return
    this.#status(
      'error',
      this.#publication ? 'NetStream.Publish.Denied' : 'NetStream.Publish.BadName',
      error.message,
    )
  }

  #answerPing(body: Buffer): void {
    if (body.length < 6 || body.readUInt16BE() !== 6) return
    const answer = Buffer.from(body.subarray(0, 6))
    answer.writeUInt16BE(7)
    this.#send(messageTypes.userControl, answer, CONTROL)
  }

  #acknowledge(): void {
    if (this.#received - this.#acknowledged < this.#window / 2) return
    this.#acknowledged = this.#received
    const body = Buffer.alloc(4)
    body.writeUInt32BE(this.#received % 2 ** 32)
    this.#send(messageTypes.acknowledgement, body, CONTROL)
  }

  #send(type: number, body: Buffer, chunkStream = COMMANDS, streamId = 0): void {
    if (!this.#socket.writable) return
    const chunkBytes = this.#isConnected && type !== messageTypes.setChunkSize ? SENT_CHUNK_BYTES : 128
    this.#socket.write(writeMessage({ type, streamId, body }, chunkStream, chunkBytes))
  }

  #endAfter(milliseconds: number): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.#socket.destroy(new StreamEnded('timeout')), milliseconds)
  }
}

/** Answers the handshake, and returns the bytes after it (RTMP 1.0, section 5.2). */
async function shakeHands(bytes: AsyncIterator<Buffer>, socket: Socket): Promise<Buffer> {
  let received = await readAtLeast(bytes, Buffer.alloc(0), 1 + HANDSHAKE_BYTES)
  if (received[0] !== VERSION) throw new StreamEnded('protocol')
  const theirs = received.subarray(1, 1 + HANDSHAKE_BYTES)
  const own = Buffer.concat([Buffer.alloc(8), randomBytes(HANDSHAKE_BYTES - 8)])
  socket.write(Buffer.concat([Buffer.from([VERSION]), own, theirs]))
  received = await readAtLeast(bytes, received.subarray(1 + HANDSHAKE_BYTES), HANDSHAKE_BYTES)
  return received.subarray(HANDSHAKE_BYTES)
}

async function readAtLeast(bytes: AsyncIterator<Buffer>, received: Buffer, count: number): Promise<Buffer> {
  let all = received
  while (all.length < count) {
    const { done, value } = await bytes.next()
    if (done) throw new StreamEnded('lost')
    all = Buffer.concat([all, value])
  }
  return all
}

const toError = (reason: unknown) => (reason instanceof Error ? reason : new StreamEnded('failed'))

function toReason(error: unknown, socket: Socket): LiveEndReason {
  if (error instanceof StreamEnded) return error.reason
  // errors of the network
  return socket.destroyed ? 'lost' : 'failed'
}
