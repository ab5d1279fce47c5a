import { textTopic } from '@kinora/platform/db/pubsub.ts'

/** The settings of the site have changed. */
export const siteSettingsChanged = textTopic('site.settings')
