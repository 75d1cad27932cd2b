import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useSeller } from '../context.ts'
import { rangeLabel } from '../days.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Failure, Stale, Waiting } from '../parts/states.tsx'
import { useBrokenEndpoints, useOpenDisputes, useTaxSettings } from '../queries/attention.ts'
import { itemQuery } from '../queries/billing.ts'
import { InvoiceGapsNotice } from '../seller/orders/invoice-gaps-notice.tsx'
import { useRefreshOn } from '../use-changes.ts'
import { viewerZone } from '../zone.ts'
import { ChartPanel } from './chart-panel.tsx'
import { figuresOf } from './figure.ts'
import { Figures } from './figures.tsx'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import { Notices } from './notices.tsx'
import { daysOfSearch } from './overview.search.ts'
import { overviewWords as words } from './overview.texts.ts'
import { PeriodPicker } from './period-picker.tsx'
import { RecentOrders } from './recent-orders.tsx'

const route = getRouteApi('/dashboard/$slug/')

/** The objects that the page counts and lists. */
const counted = ['order', 'customer', 'subscription']

/** Next steps, the figures of a period, and recent orders. */
export function OverviewPage() {
  const { may } = useSeller()
  useRefreshOn(counted)
  const steps = useFirstSteps()
  const { isLoading } = useTaxSettings()
  const isKnown = [useOpenDisputes(), useBrokenEndpoints()].every((found) => found !== undefined) && !isLoading
  return (
    <>
      <PageHead title={words.title} />
      {/* What stands first pushes nothing down later. */}
      {steps === 'unknown' || !isKnown ? (
        <Waiting label={words.loading} rows={8} />
      ) : (
        <div className="overview">
          <Notices />
          {/* Not before there is something to sell, and so to make an invoice of. */}
          {steps && !steps.product ? null : <InvoiceGapsNotice />}
          {steps ? <FirstSteps steps={steps} /> : null}
          {may('order', 'read') ? <Numbers /> : null}
          {may('order', 'read') ? <RecentOrders /> : null}
        </div>
      )}
    </>
  )
}

/** The figures of the period in the address. The ones before stay, dimmed, while another period is on its way. */
function Numbers() {
  const { billing, now } = useSeller()
  const search = route.useSearch()
  const days = daysOfSearch(search, now())
  const query = { startDate: days.from, endDate: days.to, timezone: viewerZone() }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...itemQuery(['overview', query], (options) => billing.getOverview(query, options)),
    placeholderData: keepPreviousData,
  })
  const figures = data && figuresOf(data)
  return (
    <>
      <PeriodPicker search={search} days={days}>
        {data
          ? words.period.compared(
              rangeLabel({ from: data.startDate, to: data.endDate }),
              rangeLabel({ from: data.before.startDate, to: data.before.endDate }),
              data.timezone,
            )
          : null}
      </PeriodPicker>
      {error && !data ? <Failure error={error} retry={refetch} needs="order:read" /> : null}
      {error && data ? <Stale retry={() => void refetch()} /> : null}
      {!data && !error ? <Waiting label={words.loadingNumbers} rows={9} tall /> : null}
      {data && figures ? (
        <>
          <Figures figures={figures} days={{ from: data.startDate, to: data.endDate }} isStale={isPlaceholderData} />
          <ChartPanel overview={data} figures={figures} search={search} />
        </>
      ) : null}
    </>
  )
}
