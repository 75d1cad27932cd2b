import type { PageData } from '@tollgate/contract/pages'
import { look } from './invitation-look.ts'
import type { PageMakers } from './page-data.ts'
import type { Visit } from './visit.ts'

/** The page of a pay link. The token in the URL authorizes the visitor. */
export const payPageMakers: PageMakers = { '/pay/:payToken': payPage }

async function payPage(visit: Visit): Promise<PageData> {
  const { payToken = '' } = visit.params
  const { found: due } = await look(visit.billing('getPayLink', { params: { payToken } }))
  return due ? visit.data('pay', { payToken, due }) : visit.data('pay-closed', {})
}
