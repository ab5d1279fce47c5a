import type { Context } from '../../../../context/context.ts'
import { encodeSegment, prepare, prepareRun } from '../jobs.ts'

/** Whether a viewer waits for a segment, or an upload for its preparation. */
export const hasUrgentWork = ({ jobs }: Pick<Context, 'jobs'>): Promise<boolean> =>
  jobs.isAnyDue([encodeSegment, prepare, prepareRun])

/** Whether a viewer waits for a segment. */
export const isViewerWaiting = ({ jobs }: Pick<Context, 'jobs'>): Promise<boolean> =>
  jobs.isAnyDue([encodeSegment])
