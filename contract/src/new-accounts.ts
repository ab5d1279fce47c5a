/** What the newest accounts may do within 24 hours, where the site limits them. It grows with age and contributions. */
export const newAccountLimits = { comments: 20, uploads: 5, reports: 10 }

/** Comments and videos, shown for a day, after which an account counts as new no longer. */
export const provenContributions = 10

export const newAccountMaxDays = 365
