import { Type } from 'typebox'
import { PlaceView } from '../../domain/accounts/place.ts'
import { operation } from '../operation.ts'

export const listPlaces = operation({
  id: 'places.list',
  method: 'GET',
  path: '/api/places',
  access: 'user',
  tokens: true,
  summary: 'The folders that the user sees: with several, "/" lists them by name',
  replies: { 200: Type.Array(PlaceView) },
})
