import { z } from 'zod';
import { ImageConfigInvalid } from './errors.ts';
import { parseObject } from './json-object.ts';
import { Platform } from './platform.ts';

/**
 * The platform that an image configuration states, without the rest of it.
 * `{"os":"linux","architecture":"arm","variant":"v7",…}` → linux/arm/v7.
 * Throws IMAGE_CONFIG_INVALID: also for artefacts, whose config is something else.
 * Source: https://github.com/opencontainers/image-spec/blob/main/config.md
 */
export function platformOfConfig(bytes: Uint8Array): Platform {
  const fields = parseObject(
    bytes,
    (reason, cause) => new ImageConfigInvalid({ reason }, { cause }),
  );
  const result = ConfigPlatform.safeParse(fields);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ImageConfigInvalid({ reason: `${issue?.path.join('.')}: ${issue?.message}` });
}

// Not loose: a configuration holds much else that is no part of a platform.
const ConfigPlatform = z.object(Platform.shape);
