import { defineLimit } from '../../../context/limits.ts'

/** Limit of requests for a mail per client address, as a multiple of the limit per email address. */
const accountsPerAddress = 10

/** How long a challenge of a registration is valid, and remembered once it was used. */
export const registrationChallengeSeconds = 30 * 60

export const registrationLimits = defineLimit(({ config, local, shared }) => ({
  /** Registrations per client address. */
  registrations: shared('registrations', config.registrationsPerHour, 3600),
  /** Mails about registrations per email address; more are left out silently. */
  mails: shared('registration_mails', config.registrationMailsPerHour, 3600),
  /** Requests for such a mail per client address. */
  mailsOfAddress: shared(
    'registration_mails_of_address',
    config.registrationMailsPerHour * accountsPerAddress,
    3600,
  ),
  /** Challenges per client address. */
  challenges: local(config.registrationChallengesPerMinute, 60),
  /** Registrations per challenge. */
  ofChallenge: shared('registrations_of_challenge', 1, registrationChallengeSeconds),
}))
