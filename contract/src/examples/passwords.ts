import { changePassword, requestPasswordReset, resetPassword } from '../accounts/passwords.ts'
import { example } from './example.ts'

export const passwordExamples = [
  example(requestPasswordReset, { body: { email: 'jonas@example.org' }, data: null }),
  example(resetPassword, {
    body: { code: 'mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok', newPassword: 'staple of a longer word' },
    data: null,
  }),
  example(changePassword, {
    body: { oldPassword: 'correct horse battery', newPassword: 'staple of a longer word' },
    data: null,
  }),
]
