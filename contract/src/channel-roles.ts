import { z } from 'zod'

/** Roles of people who work on the channel of somebody else; each includes the ones before it. */
export const channelRoles = ['editor', 'manager'] as const
export const ChannelRole = z.enum(channelRoles)
export type ChannelRole = z.infer<typeof ChannelRole>

/** Whether a role includes `least`. */
export const hasChannelRole = (role: ChannelRole, least: ChannelRole): boolean =>
  channelRoles.indexOf(role) >= channelRoles.indexOf(least)

/** Query of a call about a channel on which the caller may work. */
export const ChannelQuery = z.object({
  channel: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Username of the channel on which the caller works; the own channel by default.'),
})
