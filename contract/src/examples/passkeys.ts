import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  deletePasskey,
  listPasskeys,
  type Passkey,
} from '../accounts/passkeys.ts'
import { example } from './example.ts'

const passkey: Passkey = {
  _id: 'Zk3vQ1m8T5xY2cR7aP0wLg',
  name: 'Chrome on Android',
  createdAt: '2026-05-01T08:12:40.000Z',
  usedAt: null,
}

export const credential = { id: passkey._id, rawId: passkey._id, type: 'public-key' } as const

export const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'

export const passkeyExamples = [
  example(listPasskeys, { data: [passkey] }),
  example(beginPasskey, {
    body: { password: 'correct horse battery' },
    data: { challenge: 'q8Rt2Vw5Yz1Bd4Fg', rp: { name: 'Kinora', id: 'video.example.org' } },
  }),
  example(addPasskey, {
    body: { ...credential, response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZQ' } },
    data: passkey,
  }),
  example(deletePasskey, { params: { passkeyId: passkey._id }, data: null }),
  example(beginPasskeyLogin, { data: { challenge: 'q8Rt2Vw5Yz1Bd4Fg', rpId: 'video.example.org' } }),
]
