import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { VideoId, VideoOwner } from './videos.ts'

/** Days in which an offer can be accepted. */
export const handoverDays = 14

/** Offers that one account has made. */
export const handoversPerAccount = 50

/** Videos that an offer names. */
export const handoverTitles = 5

const params = z.object({ handoverId: z.string().min(1).max(64) })

/** An offer to give a video, or all videos, to another account. */
export const Handover = z.object({
  _id: z.string(),
  giver: VideoOwner,
  receiver: VideoOwner,
  video: z
    .object({ _id: VideoId, title: z.string() })
    .nullable()
    .describe('Null for all videos of the giver.'),
  videos: z.number().int().describe('How many are given. Those that are taken down stay with the giver.'),
  sizeBytes: z.number().int().describe('What they add to the quota of the receiver.'),
  titles: z.array(z.string()).max(handoverTitles).describe('Of the newest of them.'),
  createdAt: z.iso.datetime(),
})
export type Handover = z.infer<typeof Handover>

export const listHandovers = endpoint({
  name: 'listHandovers',
  tag: 'handovers',
  summary: 'Offers that the caller has made or received',
  method: 'GET',
  path: '/studio/handovers',
  auth: 'required',
  result: z.array(Handover),
  message: 'Offers',
})

export const createHandover = endpoint({
  name: 'createHandover',
  tag: 'handovers',
  summary:
    'Offers an own video, or all of them, to another account; an earlier offer of the same is replaced. Address, views, likes and comments stay',
  method: 'POST',
  path: '/studio/handovers',
  auth: 'required',
  body: z.object({
    username: z.string().min(1).max(200),
    videoId: VideoId.nullable().describe('Null for all videos.'),
  }),
  result: z.array(Handover),
  status: 201,
  message: 'Offer made',
})

export const acceptHandover = endpoint({
  name: 'acceptHandover',
  tag: 'handovers',
  summary: 'Accepts an offer: the videos are on the channel of the caller from then on',
  method: 'PUT',
  path: '/studio/handovers/:handoverId',
  auth: 'required',
  params,
  result: z.array(Handover),
  message: 'Offer accepted',
})

export const deleteHandover = endpoint({
  name: 'deleteHandover',
  tag: 'handovers',
  summary: 'Withdraws an own offer, or declines one',
  method: 'DELETE',
  path: '/studio/handovers/:handoverId',
  auth: 'required',
  params,
  result: z.array(Handover),
  message: 'Offer ended',
})
