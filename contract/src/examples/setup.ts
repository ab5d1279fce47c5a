import { completeSetup, openSetup } from '../operations/setup.ts'
import { example } from './example.ts'
import { publicSite, user } from './samples.ts'

const setupToken = 'l5c1mJm0yq3n1xkqIhVv8cG2d0WQ4rTz7uEo9aYb6sA'

export const setupExamples = [
  example(openSetup, {
    body: { token: setupToken },
    data: { settings: publicSite, fixed: ['registration'] },
  }),
  example(completeSetup, {
    body: {
      token: setupToken,
      fullname: 'Ines Falk',
      email: 'ines@example.org',
      username: 'ines',
      password: 'correct horse',
      siteName: 'Harbour TV',
    },
    data: { ...user, role: 'administrator' },
  }),
]
