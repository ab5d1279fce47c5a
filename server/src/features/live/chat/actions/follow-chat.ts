import { type ChatMessage, type ChatSettings, followChat } from '@kinora/contract/live/chat.ts'
import { encodeEvent, type EventStream } from '@kinora/platform/http/routing/event-stream.ts'
import type { Context } from '../../../../context/context.ts'
import { visibilityChanged } from '../../../visibility/topics.ts'
import { isReadByAll } from '../queries.ts'
import { type ChatChange, chatOf } from '../topics.ts'

type FollowContext = Pick<Context, 'db' | 'pubsub' | 'log'>
type ChatStream = EventStream<typeof followChat.events>

/** How often viewers get what happened: however many write, each has at most two events a second of each kind. */
const batchMs = 500
/** Latest messages of a batch. More in half a second could not be read. */
const messagesPerBatch = 50

const { events } = followChat

/**
 * The chats that viewers of this process follow. Each has one subscription, and what happens in it is encoded once: memory and
 * time of a message do not grow with the number of viewers but for the bytes that each of them gets.
 */
export class Chats {
  readonly #rooms = new Map<string, Room>()

  /** Sends what happens in a chat to a stream until disposed, without messages of muted people. */
  async follow(
    context: FollowContext,
    videoId: string,
    stream: ChatStream,
    mutedIds: ReadonlySet<string>,
  ): Promise<AsyncDisposable> {
    const room = this.#rooms.get(videoId) ?? new Room(context, videoId)
    this.#rooms.set(videoId, room)
    const leave = () => {
      if (room.leave(stream) && this.#rooms.get(videoId) === room) this.#rooms.delete(videoId)
    }
    try {
      await room.enter(stream, mutedIds)
    } catch (error) {
      leave()
      throw error
    }
    return { [Symbol.asyncDispose]: async () => leave() }
  }
}

class Room {
  readonly #context: FollowContext
  readonly #videoId: string
  readonly #streams = new Map<ChatStream, ReadonlySet<string>>()
  #subscription: Promise<(() => void)[]> | undefined
  #messages: ChatMessage[] = []
  #removed: string[] = []
  #settings: ChatSettings | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(context: FollowContext, videoId: string) {
    this.#context = context
    this.#videoId = videoId
  }

  async enter(stream: ChatStream, mutedIds: ReadonlySet<string>): Promise<void> {
    this.#streams.set(stream, mutedIds)
    this.#subscription ??= this.#subscribe()
    await this.#subscription
  }

  /** Returns whether nobody is left. */
  leave(stream: ChatStream): boolean {
    this.#streams.delete(stream)
    if (this.#streams.size > 0) return false
    clearTimeout(this.#timer)
    this.#subscription?.then(
      (unsubscribe) => unsubscribe.forEach((end) => end()),
      () => undefined,
    )
    return true
  }

  async #subscribe(): Promise<(() => void)[]> {
    const { pubsub } = this.#context
    // clients reconnect, and read what they missed
    const end = () => this.#end()
    const ofChat = await pubsub.subscribe(chatOf(this.#videoId), (change) => this.#add(change), end)
    const ofVideo = await pubsub
      .subscribe(visibilityChanged, (id) => void (id === this.#videoId && this.#check()), end)
      .catch((error: unknown) => {
        ofChat()
        throw error
      })
    return [ofChat, ofVideo]
  }

  #end(): void {
    for (const stream of this.#streams.keys()) stream.end()
  }

  /** Where not everybody may read the chat any more, viewers reconnect if they may. */
  #check(): void {
    const { db, log } = this.#context
    isReadByAll(db, this.#videoId).then(
      (isForAll) => isForAll || this.#end(),
      (error: unknown) => {
        log.warn({ err: error }, 'visibility of a chat could not be looked up')
        this.#end()
      },
    )
  }

  #add({ message, removed = [], settings }: ChatChange): void {
    if (message) this.#messages = [...this.#messages.slice(1 - messagesPerBatch), message]
    if (removed.length > 0) {
      this.#removed.push(...removed)
      this.#messages = this.#messages.filter(({ _id }) => !removed.includes(_id))
    }
    if (settings) this.#settings = settings
    this.#timer ??= setTimeout(() => this.#send(), batchMs)
  }

  #send(): void {
    const [messages, removed, settings] = [this.#messages, this.#removed, this.#settings]
    this.#timer = undefined
    this.#messages = []
    this.#removed = []
    this.#settings = undefined
    const others =
      (removed.length > 0 ? encodeEvent(events, 'removed', removed) : '') +
      (settings ? encodeEvent(events, 'settings', settings) : '')
    const encode = (shown: ChatMessage[]) => (shown.length > 0 ? encodeEvent(events, 'messages', shown) : '')
    const forAll = encode(messages) + others
    for (const [stream, mutedIds] of this.#streams)
      stream.sendEncoded(
        mutedIds.size === 0
          ? forAll
          : encode(messages.filter(({ author }) => !mutedIds.has(author._id))) + others,
      )
  }
}
