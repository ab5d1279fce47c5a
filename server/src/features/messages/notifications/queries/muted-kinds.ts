import type { NotificationKind } from '@kinora/contract/messages/notifications.ts'
import { type RawBuilder, sql } from 'kysely'

/** Whether a person has not switched a kind off. */
export const isOn = (userId: RawBuilder<unknown>, kind: NotificationKind | RawBuilder<string>) =>
  sql`not exists (select from muted_notifications m where m.user_id = ${userId} and m.kind = ${kind})`
