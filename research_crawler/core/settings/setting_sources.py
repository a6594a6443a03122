"""Reads the settings for `config.Config` from all of their sources at once."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from research_crawler.core.errors import ConfigError
from research_crawler.core.settings.complaints import first_complaint
from research_crawler.core.settings.provider_settings import ProviderSettings
from research_crawler.core.settings.sources import Gathered
from research_crawler.core.settings.table import Declared, Setting


class AllSources(PydanticBaseSettingsSource):
    """Reads all sources by field name; pydantic's own sources would mix up the several names of a setting."""

    def __init__(
        self,
        kind: type[BaseSettings],
        table: Mapping[str, Setting],
        declared: Declared,
        gathered: Gathered,
    ) -> None:
        """`table` has all settings, `declared` those of search providers, `gathered` what their sources say."""
        super().__init__(kind)
        self.table, self.declared, self.gathered = table, declared, gathered
        self.sourced = gathered.values

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """The raw value of one setting."""
        return self.sourced[field_name].value if field_name in self.sourced else None, field_name, False

    def __call__(self) -> dict[str, Any]:
        """The values, and their origins."""
        values = {name: value.value for name, value in self.sourced.items() if not self.table[name].provider}
        declared = {
            provider: self._provider_settings(provider, kind) for provider, kind in self.declared.items()
        }
        origins = {name: value.origin for name, value in self.sourced.items()}
        found = {"provider_settings": declared, "notes": self.gathered.notes}
        return {**values, **{name: value for name, value in found.items() if value}, "origins": origins}

    def _provider_settings(self, provider: str, kind: type[ProviderSettings]) -> ProviderSettings:
        settings = [
            setting
            for setting in self.table.values()
            if setting.provider == provider and setting.name in self.sourced
        ]
        try:
            return kind.model_validate(
                {setting.field: self.sourced[setting.name].value for setting in settings}
            )
        except ValidationError as error:
            raise ConfigError(first_complaint(error, self.table, self.sourced, provider)) from None
