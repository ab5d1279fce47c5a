import type { Topic } from '@kinora/platform/db/pubsub.ts'

/** Stored number of unread notifications of a user, with those that the list leaves out. Triggers in the database publish it. */
export const unreadOf = (userId: string): Topic<number> => ({
  name: `notifications/${userId}`,
  encode: String,
  decode: (text) => {
    const unread = Number(text)
    if (text === '' || !Number.isInteger(unread)) throw new Error('not a number')
    return unread
  },
})

/** First and last id of the users whose unread notifications changed at once. Triggers in the database publish it. */
export const unreadRange: Topic<[first: string, last: string]> = {
  name: 'notifications',
  encode: (range) => range.join(' '),
  decode: (text) => {
    const [first, last] = text.split(' ')
    if (first === undefined || last === undefined) throw new Error('not a range')
    return [first, last]
  },
}
