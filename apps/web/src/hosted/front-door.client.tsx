import { createEntranceClient } from '@tollgate/client'
import { FrontDoorPage, type FrontDoorProps } from './front-door.page.tsx'
import { hydratePage } from './hydrate.tsx'

// The drawings that the server has put into the page are taken from there, so that they do not come a second time.
const drawn = Object.fromEntries(
  [...document.querySelectorAll<HTMLElement>('[data-mark]')].map((mark) => [mark.dataset.mark ?? '', mark.innerHTML]),
)

hydratePage<Omit<FrontDoorProps, 'client'>>(createEntranceClient, (props) => (
  <FrontDoorPage {...props} marks={props.marks ?? drawn} />
))
