import type { BillingAnswer } from '@tollgate/contract/billing-types'
import { useSeller } from '../../context.ts'
import { ApiCallButton } from '../../parts/api-call.tsx'
import { apiCall } from '../../parts/api-command.ts'
import { Copyable } from '../../parts/copy.tsx'
import { Detail } from '../../parts/detail.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Dot } from '../../parts/status.tsx'
import { Ago } from '../../parts/time.tsx'
import { itemQuery } from '../../queries/billing.ts'
import { processorNames, processorsWords as words } from './processors.texts.ts'

type Processor = BillingAnswer<'listProcessors'>['items'][number]

/** The payment processors, and how to enable another one. */
export function ProcessorsPage() {
  const { billing } = useSeller()
  const query = itemQuery(['processors'], (options) => billing.listProcessors({}, options))
  return (
    <Detail query={query} back={null} words={words}>
      {({ items }) => (
        <>
          <PageHead
            title={words.title}
            text={words.text}
            actions={<ApiCallButton calls={{ [words.call]: apiCall('listProcessors', {}) }} />}
          />
          <div className="column narrow-column">
            {items.map((processor) => (
              <ProcessorPanel key={processor.name} processor={processor} />
            ))}
            {items.some(({ name, isOn }) => name === 'stripe' && isOn) ? null : <HowToSwitchOn />}
          </div>
        </>
      )}
    </Detail>
  )
}

function ProcessorPanel({ processor }: { processor: Processor }) {
  const { name, isOn, isTest, eventsUrl, lastEventAt } = processor
  return (
    <Panel title={processorNames[name]}>
      <p className="quiet panel-note">{words.about[name]}</p>
      <Facts>
        <Fact label={words.state}>
          <State processor={processor} />
        </Fact>
        <Fact label={words.money}>{isOn ? (isTest ? words.test : words.real) : null}</Fact>
        <Fact label={words.eventsUrl}>
          {eventsUrl ? (
            <>
              <Copyable text={eventsUrl} what={words.eventsUrl} />
              <span className="quiet">{words.eventsHint}</span>
            </>
          ) : null}
        </Fact>
        <Fact label={words.lastEvent}>
          {isOn && eventsUrl ? lastEventAt ? <Ago at={lastEventAt} /> : words.noEvent : null}
        </Fact>
      </Facts>
    </Panel>
  )
}

function State({ processor: { isOn, takesNewCheckouts } }: { processor: Processor }) {
  if (!isOn) return <Dot tone="plain">{words.off}</Dot>
  return takesNewCheckouts ? <Dot tone="ok">{words.takes}</Dot> : <Dot tone="warn">{words.settles}</Dot>
}

const HowToSwitchOn = () => (
  <Panel title={words.how.title}>
    <p className="panel-note">{words.how.text}</p>
    <Facts>
      {Object.entries(words.how.settings).map(([name, text]) => (
        <Fact key={name} label={name}>
          <span className="quiet">{text}</span>
        </Fact>
      ))}
    </Facts>
    <p className="quiet panel-text">{words.how.after}</p>
  </Panel>
)
