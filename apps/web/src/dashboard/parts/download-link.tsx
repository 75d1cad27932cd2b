import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { texts } from '../texts.ts'

/** A link that downloads a list as a file. */
export const DownloadLink = ({ href }: { href: string }) => (
  <Button
    component="a"
    variant="default"
    href={href}
    download
    leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
  >
    {texts.exportCsv}
  </Button>
)
