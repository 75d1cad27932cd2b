import type { Result } from '@tollgate/client'
import type { ReactNode } from 'react'
import { useSeller } from '../context.ts'
import { answerOf } from '../queries/answer.ts'
import { itemQuery } from '../queries/billing.ts'
import { texts } from '../texts.ts'
import { ApiCallButton } from './api-call.tsx'
import type { ApiCall } from './api-command.ts'
import { Detail, type DetailWords } from './detail.tsx'
import { type Fields, useDraft } from './draft.ts'
import { Editor } from './editor.tsx'
import type { MetadataEntry } from './metadata.ts'
import { MetadataEditor } from './metadata-editor.tsx'
import { PageHead } from './page-head.tsx'
import { Panel } from './panel.tsx'
import { RemoveButton, type RemoveWords } from './remove-button.tsx'

type WithId = { readonly id: string }
type WithMetadata = { readonly metadata: readonly MetadataEntry[] }

type FormProps<Item extends WithId, Draft extends WithMetadata> = {
  /** Of the item in the cache. */
  kind: string
  words: {
    readonly newTitle: string
    readonly create: string
    readonly created: (name: string) => string
    readonly saved: (name: string) => string
  }
  /** The way back to the list. */
  back: ReactNode
  /** False if the viewer may only read. */
  mayWrite: boolean
  nameOf: (item: Item) => string
  /** The equivalent API calls. */
  calls: (item: Item) => Readonly<Record<string, ApiCall>>
  /** The form values of a new item and of an existing one. */
  newDraft: () => Draft
  draftOf: (item: Item) => Draft
  /** Creates or updates an item. Throws FieldErrors for invalid values. */
  save: (draft: Draft, item: Item | undefined) => Promise<Result<Item>>
  /** Opens the new item's page. */
  onCreated: (id: string) => unknown
  /** Deletes the item, if possible, and leaves the page. */
  removal?: {
    readonly words: RemoveWords
    readonly remove: (given: { id: string }) => Promise<Result<unknown>>
    readonly onRemoved: () => unknown
  }
  /** Further actions on the item. */
  actions?: (item: Item) => ReactNode
  /** A notice above the form. */
  notice?: (item: Item) => ReactNode
  /** Beside the fields on wide screens, such as a preview. */
  aside?: (draft: Draft) => ReactNode
  /** The panels of the form; those for metadata come after them. */
  children: (fields: Fields<Draft>, item: Item | undefined) => ReactNode
}

type Props<Item extends WithId, Draft extends WithMetadata> = Omit<FormProps<Item, Draft>, 'words'> & {
  /** From the address: `new` creates an item. */
  id: string
  words: DetailWords & FormProps<Item, Draft>['words']
  read: (given: { id: string }, options: { signal: AbortSignal }) => Promise<Result<Item>>
}

/** An editor page: heading, and the form that creates or updates an item. */
export function EditorPage<Item extends WithId, Draft extends WithMetadata>(props: Props<Item, Draft>) {
  const { id, read, ...form } = props
  if (id === 'new') return <EditorForm key="new" {...form} />
  return (
    <Detail query={itemQuery([form.kind, id], (options) => read({ id }, options))} back={form.back} words={form.words}>
      {(item) => <EditorForm key={item.id} item={item} {...form} />}
    </Detail>
  )
}

function EditorForm<Item extends WithId, Draft extends WithMetadata>(props: FormProps<Item, Draft> & { item?: Item }) {
  const { item, kind, words, back, mayWrite, nameOf, calls, removal, actions, notice, aside } = props
  const { queries } = useSeller()
  const { draft, isChanged, change, settle, fieldsWith } = useDraft(() =>
    item ? props.draftOf(item) : props.newDraft(),
  )

  async function save(): Promise<string> {
    const saved = await answerOf(props.save(draft, item))
    queries.setQueryData(['billing', kind, saved.id], saved)
    if (item) settle(props.draftOf(saved))
    else void props.onCreated(saved.id)
    return item ? words.saved(nameOf(saved)) : words.created(nameOf(saved))
  }

  return (
    <>
      <PageHead
        title={item ? nameOf(item) : words.newTitle}
        above={back}
        actions={
          item ? (
            <>
              <ApiCallButton calls={calls(item)} />
              {actions?.(item)}
              {removal && mayWrite ? (
                <RemoveButton
                  words={removal.words}
                  name={nameOf(item)}
                  remove={() => answerOf(removal.remove({ id: item.id }))}
                  onRemoved={removal.onRemoved}
                />
              ) : null}
            </>
          ) : null
        }
      />
      {item ? notice?.(item) : null}
      <Editor
        submit={item ? texts.form.save : words.create}
        isChanged={isChanged}
        mayWrite={mayWrite}
        save={save}
        aside={aside?.(draft)}
      >
        {(errorOf) => (
          <>
            {props.children(fieldsWith(errorOf), item)}
            <Panel title={texts.metadata.title}>
              <div className="panel-fields">
                <MetadataEditor
                  entries={draft.metadata}
                  onChange={(metadata) => change({ metadata } as Partial<Draft>)} // every draft has just this member
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
