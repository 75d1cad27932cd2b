import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useSeller } from '../context.ts'
import { ActionDialog } from './action-dialog.tsx'

export type RemoveWords = {
  readonly button: string
  readonly title: (name: string) => string
  readonly text: string
  readonly done: (name: string) => string
}

type Props = {
  words: RemoveWords
  name: string
  remove: () => Promise<unknown>
  /** Leaves the page of the deleted object. */
  onRemoved: () => unknown
}

/** Deletes a page's object after a confirmation that states the consequences. */
export function RemoveButton({ words, name, remove, onRemoved }: Props) {
  const { queries } = useSeller()
  const [isAsking, asking] = useDisclosure()
  return (
    <>
      <Button variant="outline" color="red" onClick={asking.open}>
        {words.button}
      </Button>
      <ActionDialog
        opened={isAsking}
        onClose={asking.close}
        title={words.title(name)}
        text={words.text}
        submit={words.button}
        danger
        invalidates={false}
        run={async () => {
          await remove()
          // Lists refetch when they are shown; this page of a deleted object does not.
          await queries.invalidateQueries({ queryKey: ['billing'], refetchType: 'none' })
          void onRemoved()
          return words.done(name)
        }}
      />
    </>
  )
}
