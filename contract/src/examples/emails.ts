import {
  confirmEmail,
  getEmailState,
  keepEmail,
  requestEmailConfirmation,
  updateDetails,
} from '../accounts/emails.ts'
import { example } from './example.ts'
import { user } from './samples.ts'

export const emailExamples = [
  example(getEmailState, {
    data: { email: 'jonas@example.org', isConfirmed: true, isRejected: false, newEmail: null },
  }),
  example(requestEmailConfirmation, { data: null }),
  example(confirmEmail, { body: { code: 'mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok' }, data: null }),
  example(keepEmail, { body: { code: 'mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok' }, data: null }),
  example(updateDetails, { body: { fullname: 'Jonas B.' }, data: { ...user, fullname: 'Jonas B.' } }),
]
