import {
  confirmRegistration,
  getRegistrationChallenge,
  register,
  requestRegistrationMail,
} from '../accounts/registrations.ts'
import { example } from './example.ts'
import { jonas, user } from './samples.ts'

export const registrationExamples = [
  example(confirmRegistration, {
    body: { code: 'mZ0tQ4Yc1f8n2K7v5Xw3Lr6Bs9Pd0Ah2Ju4Ge7Ti1Ok' },
    data: { awaitsApproval: false },
  }),
  example(requestRegistrationMail, { body: { email: 'ines@example.org', username: 'ines' }, data: null }),
  example(getRegistrationChallenge, {
    data: {
      parameters: {
        algorithm: 'PBKDF2/SHA-256',
        nonce: '5fd1ad0fb5a2d9c4e1c5f1e1f1b2a3d4',
        salt: '0e4f9c2ab37d5518c6a1d2e3f4051627',
        cost: 5000,
        keyLength: 32,
        keyPrefix: 'b40fc3a1d5e6f70819a2b3c4d5e6f708',
        keySignature: '9d3c5be02a61f47088ce1b7d6a30f9e24c58d7b16ea0f3927d84c61b5e0fa237',
        expiresAt: 1_777_800_600,
      },
      signature: '41c0a6e8f7d2b39514be80d6c2fa7936e5d8104b7c9e62f3a05b1d84c67e2f90',
    },
  }),
  example(register, {
    body: {
      fullname: jonas.fullname,
      email: 'jonas@example.org',
      username: jonas.username,
      password: 'correct horse battery',
    },
    files: { avatar: 'jonas.png' },
    data: { ...user, subscribedToCount: 0, watchHistory: [] },
  }),
]
