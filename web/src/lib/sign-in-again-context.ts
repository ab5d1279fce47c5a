import { createContext, type ReactNode } from 'react'

/** What stands in place of the current password, for accounts that have none; null for others. */
export const SignInAgainContext = createContext<ReactNode>(null)
