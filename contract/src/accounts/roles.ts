/** Roles of accounts; each includes the ones before it. */
export const roles = ['member', 'moderator', 'administrator'] as const

export type Role = (typeof roles)[number]

/** Whether a role includes `least`. */
export const hasRole = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)
