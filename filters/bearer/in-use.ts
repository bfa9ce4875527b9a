import type { PluginContext } from "../../src/plugin/mod.ts";
import type { BearerConfiguration } from "./configuration.ts";
import { createValidator, refusing, type Validator } from "./validator.ts";

/** The configuration document that replaces the properties. */
export const documentName = "auth";

/** A validator in use. */
export interface InUse {
  readonly validator: Validator;
  /** 0 for the properties, else the version of the stored document. */
  readonly version: number;
  /** There while the first keys of a stored document are being fetched: its tokens wait for them. */
  starting?: Promise<void> | undefined;
}

/** The validator of the stored document, else that of the properties; made anew when the document changes. */
export function validatorInUse(own: Validator, context: PluginContext): () => InUse {
  const fromIni: InUse = { validator: own, version: 0 };
  let stored: InUse | undefined;

  return () => {
    const document = context.configuration.current(documentName);
    if (stored !== undefined && stored.version !== document?.version) {
      stored.validator.stop();
      stored = undefined;
    }
    if (document === undefined) return fromIni;
    if (stored === undefined) {
      stored = begin(document.version, document.value as BearerConfiguration, context);
      return stored;
    }
    // On Workers one request must not wait for the promise of another.
    const mayWait = stored.starting === undefined || context.runtime !== "workerd";
    return mayWait ? stored : { validator: stored.validator, version: stored.version };
  };
}

function begin(version: number, document: BearerConfiguration, context: PluginContext): InUse {
  const failed = (error: unknown) =>
    context.log.error("The stored configuration of bearer tokens cannot be used", { error });
  const validator = storedValidator(document, context, failed);
  const inUse: InUse = { validator, version };
  inUse.starting = validator
    .start()
    .catch(failed)
    .finally(() => {
      inUse.starting = undefined;
    });
  return inUse;
}

/** What was stored once may no longer be good enough: then it lets nobody in, and health says so. */
function storedValidator(
  document: BearerConfiguration,
  context: PluginContext,
  failed: (error: unknown) => void,
): Validator {
  try {
    return createValidator(document, context);
  } catch (error) {
    failed(error);
    return refusing("the stored configuration cannot be used", { ok: false, message: "It cannot be used" });
  }
}
