// Apart from `query-keys.ts` and `watch-keys.ts`, which the watch page loads.
export const accountKeys = {
  list: ['sessions'],
  secondFactor: ['second-factor'],
  passkeys: ['passkeys'],
  apiTokens: ['api-tokens'],
  webhooks: ['webhooks'],
  accountExport: ['account-export'],
  accountImport: ['account-import'],
  oidc: ['oidc'],
  email: ['email'],
  deletion: ['account-deletion'],
} as const
