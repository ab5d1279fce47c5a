import { type ApiToken, createApiToken, deleteApiToken, listApiTokens } from '../accounts/api-tokens.ts'
import { example } from './example.ts'

const apiToken: ApiToken = {
  _id: '0mf5v2k7t1x9ab',
  name: 'Backup script',
  scopes: ['read', 'upload'],
  createdAt: '2026-03-01T08:00:00.000Z',
  expiresAt: '2026-05-30T08:00:00.000Z',
  usedAt: '2026-03-02T08:00:00.000Z',
}

export const apiTokenExamples = [
  example(listApiTokens, { data: [apiToken] }),
  example(createApiToken, {
    body: { name: apiToken.name, scopes: ['read', 'upload'], days: 90, password: 'a long password' },
    data: { ...apiToken, usedAt: null, token: 'kin_5mXfQ0yV8dR2bN7tK1wZ4cJ9hL6pS3gA5eU0oI8yT2r' },
  }),
  example(deleteApiToken, { params: { tokenId: apiToken._id }, data: null }),
]
