import { getRouteApi } from '@tanstack/react-router'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { useListAddress } from '../../use-place.ts'
import { ExportLink } from '../lists/export-link.tsx'
import { shopKinds } from './activity.search.ts'
import { activityWords as words } from './activity.texts.ts'
import { ActivityFilter, ActivityList } from './activity-list.tsx'
import { typesOf } from './activity-text.ts'

const route = getRouteApi('/dashboard/$slug/activity')

/** All events of the shop, and of the organization as far as the viewer may read them, newest first. */
export function ActivityPage() {
  const search = route.useSearch()
  const { show } = useListAddress(search)
  const { kind } = search
  const query = kind ? { type: typesOf(kind) } : {}
  return (
    <>
      <PageHead
        title={words.title}
        text={words.text}
        actions={
          <>
            <ApiCallButton calls={{ [words.call]: apiCall('listTimeline', query) }} />
            <ExportLink name="exportTimeline" query={query} />
          </>
        }
      />
      <ActivityFilter kinds={shopKinds} kind={kind} onChange={(chosen) => show({ kind: chosen })} />
      <ActivityList of={{}} kind={kind} heading="h2" onEverything={() => show({ kind: undefined })} />
    </>
  )
}
