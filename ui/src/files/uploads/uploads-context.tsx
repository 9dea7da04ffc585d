import { createContext, useContext } from 'react'
import type { Uploads } from './uploads.ts'

/** The uploads of the signed-in user. Undefined while their code is loading, and when no one is signed in. */
export const UploadsContext = createContext<Uploads | undefined>(undefined)

export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext)
  if (uploads === undefined) throw new Error('UploadsContext is missing above this component')
  return uploads
}
