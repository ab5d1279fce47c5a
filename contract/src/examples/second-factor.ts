import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  removeSecondFactor,
} from '../accounts/second-factor.ts'
import { example } from './example.ts'

export const secondFactorExamples = [
  example(getSecondFactor, { data: { isOn: true, recoveryCodesLeft: 10 } }),
  example(beginSecondFactor, {
    body: { password: 'correct horse battery' },
    data: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Kinora:jonas?issuer=Kinora&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    },
  }),
  example(confirmSecondFactor, {
    body: { code: '492039' },
    data: { recoveryCodes: ['mzxw-6ytb-oi4d-qnzt'] },
  }),
  example(removeSecondFactor, { body: { password: 'correct horse battery' }, data: null }),
]
