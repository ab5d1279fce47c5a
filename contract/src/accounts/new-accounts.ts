/** Limits of the newest accounts within 24 hours, where the site sets them. They grow with age and contributions. */
export const newAccountBaseLimits = { comments: 20, uploads: 5, reports: 10 }

/** Comments and videos, shown for a day, after which an account counts as new no longer. */
export const provenContributions = 10

export const newAccountMaxDays = 365
