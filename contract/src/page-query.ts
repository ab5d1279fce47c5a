import { z } from 'zod'

/** `?cursor=` continues a list after the previous page; `?limit=` requests fewer items. */
export const PageQuery = z.object({
  cursor: z.string().min(1).max(500).optional().describe('`nextCursor` of the previous page.'),
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Items of a page; 200 by default.'),
})
