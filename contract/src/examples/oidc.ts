import { beginOidcLogin, finishOidc, linkOidc, listOidc, unlinkOidc } from '../accounts/oidc.ts'
import { example } from './example.ts'
import { user } from './samples.ts'

export const oidcExamples = [
  example(beginOidcLogin, {
    params: { provider: 'club' },
    body: { invitation: '' },
    data: { url: 'https://id.example.org/auth?client_id=kinora&state=abc' },
  }),
  example(linkOidc, {
    params: { provider: 'club' },
    body: { password: 'correct horse' },
    data: { url: 'https://id.example.org/auth?client_id=kinora&state=abc' },
  }),
  example(finishOidc, {
    params: { provider: 'club' },
    body: { query: 'code=abc&state=abc&iss=https%3A%2F%2Fid.example.org' },
    data: { user, isLinked: false },
  }),
  example(listOidc, {
    data: {
      hasPassword: true,
      providers: [{ provider: 'club', name: 'Club', linkedAt: '2026-05-03T09:00:00.000Z', usedAt: null }],
    },
  }),
  example(unlinkOidc, { params: { provider: 'club' }, data: null }),
]
