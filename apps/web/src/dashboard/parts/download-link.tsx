import { Button, type ButtonProps } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { texts } from '../texts.ts'

type Props = Pick<ButtonProps, 'size'> & { href: string; label?: string | undefined }

/** A link that downloads a list as a file. */
export const DownloadLink = ({ href, label = texts.exportCsv, ...look }: Props) => (
  <Button
    component="a"
    variant="default"
    href={href}
    download
    {...look}
    leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
  >
    {label}
  </Button>
)
