import { login, loginWithPasskey } from '../accounts/sign-in.ts'
import { example } from './example.ts'
import { clientDataJSON, credential } from './passkeys.ts'
import { user } from './samples.ts'

export const signInExamples = [
  example(loginWithPasskey, {
    body: {
      ...credential,
      response: { clientDataJSON, authenticatorData: 'SZYN5YgOjGh0NBcP', signature: 'MEUCIQDx7Zk' },
    },
    data: { user },
  }),
  example(login, { body: { email: 'jonas@example.org', password: 'correct horse battery' }, data: { user } }),
]
