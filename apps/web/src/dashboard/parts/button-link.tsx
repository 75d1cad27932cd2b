import { Button, type ButtonProps } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'

type Props = ButtonProps & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps>

/** A link that looks like a button, because it starts a task. */
export const ButtonLink = createLink((props: Props) => <Button component="a" {...props} />)

/** What stands before the name of something new. */
export const plus = <IconPlus size={16} stroke={1.6} aria-hidden />

/** A link to a creation page. */
export const CreateLink = createLink((props: Props) => <Button component="a" leftSection={plus} {...props} />)
