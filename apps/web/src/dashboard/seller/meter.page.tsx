import { NativeSelect, TextInput } from '@mantine/core'
import { getRouteApi, Link, useLocation, useNavigate } from '@tanstack/react-router'
import type { Meter } from '@tollgate/contract/billing-types'
import type { ReactNode } from 'react'
import { useSeller } from '../context.ts'
import { ApiCallButton } from '../parts/api-call.tsx'
import { apiCall } from '../parts/api-command.ts'
import { Copyable } from '../parts/copy.tsx'
import { useDraft } from '../parts/draft.ts'
import { Editor } from '../parts/editor.tsx'
import { MetadataEditor } from '../parts/metadata-editor.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Panel } from '../parts/panel.tsx'
import { answerOf } from '../queries/answer.ts'
import { itemQuery } from '../queries/billing.ts'
import { texts } from '../texts.ts'
import { BackTo, Detail } from './detail.tsx'
import { bodyOf, draftOf, funcs, newMeter } from './meter-draft.ts'
import { FilterGroup } from './meter-filter.tsx'
import { metersSearchIn } from './meters.search.ts'
import { metersWords, meterWords as words } from './meters.texts.ts'

const route = getRouteApi('/dashboard/$slug/meters/$meterId')

/** The editor of a meter; `new` in the address makes one. */
export function MeterPage() {
  const { billing, slug } = useSeller()
  const { meterId } = route.useParams()
  const { list = {}, trail = [] } = useLocation({ select: ({ state }) => state })
  const back = (
    <Link
      to="/dashboard/$slug/meters"
      params={{ slug }}
      search={metersSearchIn(list)}
      state={{ trail }}
      className="back"
    >
      <BackTo list={metersWords.title} />
    </Link>
  )
  if (meterId === 'new') return <MeterEditor key="new" back={back} />
  const query = itemQuery(['meter', meterId], (options) => billing.getMeter({ id: meterId }, options))
  return (
    <Detail query={query} back={back} words={words}>
      {(meter) => <MeterEditor key={meter.id} meter={meter} back={back} />}
    </Detail>
  )
}

function MeterEditor({ meter, back }: { meter?: Meter; back: ReactNode }) {
  const { billing, slug, may, queries } = useSeller()
  const navigate = useNavigate()
  const { draft, isChanged, change, settle } = useDraft(() => (meter ? draftOf(meter) : newMeter()))
  const { name, filter, func, property, metadata } = draft

  async function save(): Promise<string> {
    const body = bodyOf(draft)
    const saved = await answerOf(meter ? billing.updateMeter({ id: meter.id, ...body }) : billing.createMeter(body))
    queries.setQueryData(['billing', 'meter', saved.id], saved)
    const params = { slug, meterId: saved.id }
    if (meter) settle(draftOf(saved))
    else void navigate({ to: '/dashboard/$slug/meters/$meterId', params, ignoreBlocker: true })
    return meter ? words.saved(saved.name) : words.created(saved.name)
  }

  return (
    <>
      <PageHead
        title={meter?.name ?? words.newTitle}
        above={back}
        actions={
          meter ? <ApiCallButton calls={{ [metersWords.calls.get]: apiCall('getMeter', { id: meter.id }) }} /> : null
        }
      />
      <Editor
        submit={meter ? texts.form.save : words.create}
        isChanged={isChanged}
        mayWrite={may('meter', 'write')}
        save={save}
      >
        {(errorOf) => (
          <>
            <Panel title={words.details}>
              <div className="panel-fields">
                <TextInput
                  label={words.name}
                  description={words.nameHint}
                  autoComplete="off"
                  maxLength={256}
                  value={name}
                  error={errorOf('name')}
                  onChange={(event) => change({ name: event.currentTarget.value })}
                />
                {meter ? (
                  <dl className="facts flush">
                    <dt>{words.id}</dt>
                    <dd>
                      <Copyable text={meter.id} what={words.id} />
                    </dd>
                  </dl>
                ) : null}
              </div>
            </Panel>
            <Panel title={words.filter}>
              <div className="panel-fields">
                <p className="quiet">{words.filterHint}</p>
                <FilterGroup
                  group={filter}
                  onChange={(changed) => change({ filter: changed })}
                  errorOf={errorOf}
                  path="filter"
                />
              </div>
            </Panel>
            <Panel title={words.aggregation}>
              <div className="panel-fields">
                <div className="side-by-side">
                  <NativeSelect
                    label={words.func}
                    data={funcs.map((value) => ({ value, label: words.funcs[value] }))}
                    value={func}
                    error={errorOf('aggregation.func')}
                    onChange={(event) =>
                      change({ func: funcs.find((each) => each === event.currentTarget.value) ?? 'count' })
                    }
                  />
                  {func === 'count' ? null : (
                    <TextInput
                      label={words.of}
                      description={words.ofHint}
                      autoComplete="off"
                      spellCheck={false}
                      maxLength={256}
                      value={property}
                      error={errorOf('aggregation.property')}
                      onChange={(event) => change({ property: event.currentTarget.value })}
                    />
                  )}
                </div>
              </div>
            </Panel>
            <Panel title={texts.metadata.title}>
              <div className="panel-fields">
                <MetadataEditor
                  entries={metadata}
                  onChange={(entries) => change({ metadata: entries })}
                  errorOf={errorOf}
                />
              </div>
            </Panel>
          </>
        )}
      </Editor>
    </>
  )
}
