import { createContext, type ReactNode } from 'react'

/** Content in place of the current password, for accounts that have none; null for others. */
export const SignInAgainContext = createContext<ReactNode>(null)
