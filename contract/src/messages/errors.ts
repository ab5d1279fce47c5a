import { failure, technical } from '../failure.ts'

/** Errors of notifications, mails and webhooks. */
export const messageErrors = {
  noMail: failure('not_found', 'no_mail', 'This site sends no mail'),
  linkUsed: failure('invalid', 'link_used', 'This link was used already or has expired. Ask for a new one.'),
  linkIncomplete: failure(
    'invalid',
    'link_incomplete',
    'This link is not complete. Open it again from the mail.',
  ),
  pushKeyInvalid: failure(
    'invalid',
    'push_key_invalid',
    'The public key of the subscription is not valid. Subscribe again.',
  ),
  notificationNotFound: failure('not_found', 'notification_not_found', 'This notification does not exist'),
  webhookNotFound: failure('not_found', 'webhook_not_found', 'There is no such webhook'),
  siteEventsNotAllowed: failure(
    'forbidden',
    'site_events_not_allowed',
    'Only an administrator may choose the events of the site',
  ),
  sharedAccountWebhook: failure(
    'forbidden',
    'shared_account_webhook',
    'Everybody uses this account, so it can have no webhook',
  ),
  siteEvents: technical('invalid', 'site_events', '{events} are events of the site'),
  siteEventsOnly: technical('invalid', 'site_events_only', 'These events are only of the site'),
  webhookLimit: failure('conflict', 'webhook_limit', 'An account can have at most {limit} webhooks'),
  webhookTestRunning: failure(
    'conflict',
    'webhook_test_running',
    'A test of this webhook is on its way. Wait for its outcome.',
  ),
  eventRequired: failure('invalid', 'event_required', 'Choose at least one event'),
  pushEndpointInsecure: technical('invalid', 'push_endpoint_insecure', 'endpoint must be an https address'),
  pushKeyMalformed: technical('invalid', 'push_key_malformed', 'p256dh must be a public key in base64url'),
}
