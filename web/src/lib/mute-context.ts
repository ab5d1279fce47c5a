import { createContext } from 'react'

/** Offers to mute or block a person by username; null for visitors, who cannot. */
export const MuteContext = createContext<((username: string) => void) | null>(null)
