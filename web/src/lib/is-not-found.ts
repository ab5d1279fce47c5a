import { ApiError } from '@kinora/contract/client.ts'

/** Whether an error says that something does not exist, or not for this visitor. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404
