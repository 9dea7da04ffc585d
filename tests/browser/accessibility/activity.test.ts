import { checkEveryScreen } from '../../helpers/browser/screens/every-screen.ts'
import { ACTIVITY_SCREENS } from '../../helpers/browser/screens/activity-screens.ts'

checkEveryScreen(ACTIVITY_SCREENS)
