import { useStore } from '../../../lib/create-store.ts'
import { type EntryMark as Mark, useWork } from '../../actions/late-work.tsx'

/** What is known of an entry besides, once the code that knows it is there. */
export const EntryMark: Mark = (props) => {
  const Drawn = useStore(useWork().mark)
  return Drawn && <Drawn {...props} />
}
